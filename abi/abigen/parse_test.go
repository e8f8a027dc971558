package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// scalarNames are the types as .proto files write them.
var scalarNames = map[descriptorpb.FieldDescriptorProto_Type]string{
	descriptorpb.FieldDescriptorProto_TYPE_STRING: "string", descriptorpb.FieldDescriptorProto_TYPE_BYTES: "bytes",
	descriptorpb.FieldDescriptorProto_TYPE_BOOL: "bool", descriptorpb.FieldDescriptorProto_TYPE_DOUBLE: "double",
	descriptorpb.FieldDescriptorProto_TYPE_INT32: "int32", descriptorpb.FieldDescriptorProto_TYPE_INT64: "int64",
	descriptorpb.FieldDescriptorProto_TYPE_UINT32: "uint32", descriptorpb.FieldDescriptorProto_TYPE_UINT64: "uint64",
}

// TestParseReadsWhatProtocReads: the same messages, fields and values.
func TestParseReadsWhatProtocReads(t *testing.T) {
	src, err := os.ReadFile("../loopdock.proto")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("../testdata/loopdock.pb")
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil {
		t.Fatal(err)
	}
	got := *ours
	for i := range got.messages {
		got.messages[i].doc = nil
		for j := range got.messages[i].fields {
			got.messages[i].fields[j].doc = nil
		}
	}
	for i := range got.enums {
		got.enums[i].doc = nil
		for j := range got.enums[i].values {
			got.enums[i].values[j].doc = nil
		}
	}
	if diff := cmp.Diff(protocs(set.GetFile()[0]), got, cmp.AllowUnexported(file{}, message{}, field{}, enum{}, enumValue{})); diff != "" {
		t.Error(diff)
	}
}

// protocs turns protoc's reading into ours.
func protocs(d *descriptorpb.FileDescriptorProto) file {
	var f file
	for _, m := range d.GetMessageType() {
		out := message{name: m.GetName()}
		for _, in := range m.GetField() {
			typ, ok := scalarNames[in.GetType()]
			if !ok {
				typ = in.GetTypeName()[len("."+d.GetPackage()+"."):]
			}
			out.fields = append(out.fields, field{
				name: in.GetName(), typ: typ, number: int(in.GetNumber()),
				repeated: in.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED, optional: in.GetProto3Optional(),
			})
		}
		f.messages = append(f.messages, out)
	}
	for _, e := range d.GetEnumType() {
		out := enum{name: e.GetName()}
		for _, v := range e.GetValue() {
			out.values = append(out.values, enumValue{name: v.GetName(), number: int(v.GetNumber())})
		}
		f.enums = append(f.enums, out)
	}
	return f
}
